#ifndef SpanwiseStream_h
#define SpanwiseStream_h

// How information travels between processes: one function transfer(stream, value) for each type says which members do,
// and serves both directions. Not wrapped.

#include <vtkClientServerStream.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace spanwise {

class StreamWriter {
public:
  explicit StreamWriter(vtkClientServerStream& stream) : stream_(stream) {
    stream_.Reset();
    stream_ << vtkClientServerStream::Reply;
  }
  ~StreamWriter() { stream_ << vtkClientServerStream::End; }
  StreamWriter(const StreamWriter&) = delete;
  StreamWriter& operator=(const StreamWriter&) = delete;

  void value(const std::string& text) { stream_ << text.c_str(); }
  template <class T>
    requires std::is_arithmetic_v<T>
  void value(const T& number) {
    stream_ << number;
  }
  std::size_t size(std::size_t numItems) {
    stream_ << static_cast<std::uint64_t>(numItems);
    return numItems;
  }

private:
  vtkClientServerStream& stream_;
};

/// Reads what a StreamWriter wrote. After a value that is not there, everything stays as it is and failed() holds.
class StreamReader {
public:
  explicit StreamReader(const vtkClientServerStream& stream) : stream_(stream) {}

  template <class T>
  void value(T& result) {
    failed_ = failed_ || stream_.GetArgument(0, next_++, &result) == 0;
  }
  std::size_t size(std::size_t) {
    std::uint64_t numItems = 0;
    value(numItems);
    // A list is never longer than the message that holds it.
    failed_ = failed_ || numItems > static_cast<std::uint64_t>(stream_.GetNumberOfArguments(0));
    return failed_ ? 0 : static_cast<std::size_t>(numItems);
  }
  [[nodiscard]] bool failed() const { return failed_; }

private:
  const vtkClientServerStream& stream_;
  int next_ = 0;
  bool failed_ = false;
};

template <class Stream, class T>
  requires(std::is_arithmetic_v<T> || std::is_same_v<T, std::string>)
void transfer(Stream& stream, T& value) {
  stream.value(value);
}

template <class Stream, class T>
void transfer(Stream& stream, std::vector<T>& items) {
  items.resize(stream.size(items.size()));
  for (T& item : items) {
    transfer(stream, item);
  }
}

template <class Stream, class T, std::size_t count>
void transfer(Stream& stream, T (&items)[count]) {
  for (T& item : items) {
    transfer(stream, item);
  }
}

/// The members of a type, one after the other.
template <class Stream, class... Members>
void transferAll(Stream& stream, Members&... members) {
  (transfer(stream, members), ...);
}

/// Makes `stream` a message of a value.
template <class T>
void write(vtkClientServerStream& stream, T& value) {
  StreamWriter writer(stream);
  transfer(writer, value);
}

/// Whether `value` could be read from such a message; it is empty otherwise, and `notReadable` says why.
template <class T>
bool read(const vtkClientServerStream& stream, T& value) {
  StreamReader reader(stream);
  transfer(reader, value);
  if (reader.failed()) {
    value = {};
  }
  return !reader.failed();
}

inline constexpr const char* notReadable =
  "the report of another process does not have the form that this one expects: are both of one version?";

} // namespace spanwise

#endif
