#include "Readers/Hdf5/OutputDriver.hpp"

#include "Readers/Hdf5/Output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace spanwise::hdf5 {

namespace {

// What the access property list carries to open().
struct DriverInfo {
  WriteFailure* failure;
};

// HDF5 sees the base alone.
struct OutputFile {
  H5FD_t base;
  int descriptor;
  haddr_t endOfAddresses;
  haddr_t endOfFile;
  WriteFailure* failure;
};

OutputFile& from(H5FD_t* file) { return *reinterpret_cast<OutputFile*>(file); }
const OutputFile& from(const H5FD_t* file) { return *reinterpret_cast<const OutputFile*>(file); }

void keepFailure(OutputFile& file) {
  if (file.failure->error == 0) {
    file.failure->error = errno != 0 ? errno : EIO;
  }
}

H5FD_t* openFile(const char* name, unsigned flags, hid_t access, haddr_t /*maximum*/) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
  if (info == nullptr) {
    return nullptr;
  }
  int mode = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
  mode |= (flags & H5F_ACC_TRUNC) != 0 ? O_TRUNC : 0;
  mode |= (flags & H5F_ACC_CREAT) != 0 ? O_CREAT : 0;
  mode |= (flags & H5F_ACC_EXCL) != 0 ? O_EXCL : 0;
  const int descriptor = ::open(name, mode | O_CLOEXEC, 0666);
  struct stat status = {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
    if (descriptor >= 0) {
      ::close(descriptor);
    }
    return nullptr;
  }
  auto* file = new (std::nothrow) OutputFile{};
  if (file == nullptr) {
    ::close(descriptor);
    return nullptr;
  }
  file->descriptor = descriptor;
  file->endOfFile = static_cast<haddr_t>(status.st_size);
  file->failure = info->failure;
  return &file->base;
}

herr_t closeFile(H5FD_t* base) {
  OutputFile& file = from(base);
  if (::close(file.descriptor) != 0) { // network file systems tell only now
    keepFailure(file);
  }
  delete &file;
  return 0;
}

int compareFiles(const H5FD_t* a, const H5FD_t* b) {
  struct stat first = {};
  struct stat second = {};
  ::fstat(from(a).descriptor, &first);
  ::fstat(from(b).descriptor, &second);
  if (first.st_dev != second.st_dev) {
    return first.st_dev < second.st_dev ? -1 : 1;
  }
  return first.st_ino == second.st_ino ? 0 : first.st_ino < second.st_ino ? -1 : 1;
}

herr_t queryFile(const H5FD_t* /*file*/, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
    H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t getEndOfAddresses(const H5FD_t* file, H5FD_mem_t /*type*/) { return from(file).endOfAddresses; }

herr_t setEndOfAddresses(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t address) {
  from(file).endOfAddresses = address;
  return 0;
}

haddr_t getEndOfFile(const H5FD_t* file, H5FD_mem_t /*type*/) { return from(file).endOfFile; }

herr_t readFile(H5FD_t* base, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address, size_t count, void* buffer) {
  OutputFile& file = from(base);
  auto* to = static_cast<char*>(buffer);
  while (count > 0) {
    const ssize_t got = ::pread(file.descriptor, to, std::min<size_t>(count, 1U << 30), static_cast<off_t>(address));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) { // behind what was written, or lost: zeros, which HDF5 knows how to take
      if (got < 0) {
        keepFailure(file);
      }
      std::memset(to, 0, count);
      return 0;
    }
    to += got;
    address += static_cast<haddr_t>(got);
    count -= static_cast<size_t>(got);
  }
  return 0;
}

herr_t writeFile(
  H5FD_t* base, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address, size_t count, const void* buffer) {
  OutputFile& file = from(base);
  const auto* data = static_cast<const char*>(buffer);
  file.endOfFile = std::max(file.endOfFile, address + count);
  while (count > 0 && file.failure->error == 0) {
    errno = 0;
    const ssize_t put = ::pwrite(file.descriptor, data, std::min<size_t>(count, 1U << 30), static_cast<off_t>(address));
    if (put > 0) {
      data += put;
      address += static_cast<haddr_t>(put);
      count -= static_cast<size_t>(put);
    } else if (put == 0 || errno != EINTR) {
      keepFailure(file);
    }
  }
  return 0;
}

herr_t truncateFile(H5FD_t* base, hid_t /*transfer*/, hbool_t /*closing*/) {
  OutputFile& file = from(base);
  if (file.endOfFile != file.endOfAddresses) {
    if (file.failure->error == 0 && ::ftruncate(file.descriptor, static_cast<off_t>(file.endOfAddresses)) != 0) {
      keepFailure(file);
    }
    file.endOfFile = file.endOfAddresses;
  }
  return 0;
}

H5FD_class_t makeDriver() {
  H5FD_class_t driver = {};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = 400; // of the values that are free for private use
#endif
  driver.name = "spanwise_output";
  driver.maxaddr = (haddr_t{1} << 62) - 1;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(DriverInfo);
  driver.open = openFile;
  driver.close = closeFile;
  driver.cmp = compareFiles;
  driver.query = queryFile;
  driver.get_eoa = getEndOfAddresses;
  driver.set_eoa = setEndOfAddresses;
  driver.get_eof = getEndOfFile;
  driver.read = readFile;
  driver.write = writeFile;
  driver.truncate = truncateFile;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), driver.fl_map);
  return driver;
}

// Registered once in the life of the library, which somebody may have closed and opened again.
hid_t driverId() {
  static const H5FD_class_t driver = makeDriver();
  static hid_t id = H5I_INVALID_HID;
  if (id < 0 || H5Iis_valid(id) <= 0) {
    id = H5FDregister(&driver);
  }
  return id;
}

} // namespace

void useOutputDriver(hid_t access, WriteFailure* failure) {
  const hid_t driver = driverId();
  check(driver < 0 ? -1 : 0, "registering the file driver");
  const DriverInfo info = {failure};
  check(H5Pset_driver(access, driver, &info), "choosing the file driver");
}

} // namespace spanwise::hdf5
