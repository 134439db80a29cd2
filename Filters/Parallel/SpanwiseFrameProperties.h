#ifndef SpanwiseFrameProperties_h
#define SpanwiseFrameProperties_h

// What sources and filters have in common that step in time and keep their frames (SteppedFrames), whatever their
// superclass is and their output.

#include "spanwiseParallelModule.h"
#include "vtkIndent.h"

#include <cstdint>
#include <string>

namespace spanwise {

/// All frames are listed before one is computed.
inline constexpr int maxFrames = 1000000;

/// The values of SPANWISE_FRAME_PROPERTIES().
struct FrameProperties {
  int numberOfFrames = 100;
  int memoryLimit = 4000;
  std::string frameFolder;
  bool interactive = false;
  bool live = false;
  double timeLimit = 2.0;
  std::string checkpointFile;
  std::string restartFrom;
};

/// What is chosen of frames.
struct FrameChoice {
  int count;                ///< the start among them
  std::int64_t memoryBytes; ///< that they may take on each rank
  std::string folder;       ///< for those beyond; "": none
  bool isLive;              ///< whether requests get the newest frame, whatever time they are for
  double seconds;           ///< that a request may compute; infinity: no limit
  std::string checkpoint;   ///< where the frame that is given is written; "": nowhere
  std::string restart;      ///< the checkpoint that is the first frame; "": the run begins with frame 0
};

/// Throws InvalidArgument where a property is out of its range.
SPANWISEPARALLEL_EXPORT FrameChoice frameChoice(const FrameProperties& properties);

SPANWISEPARALLEL_EXPORT void printFrameProperties(ostream& os, vtkIndent indent, const FrameProperties& properties);

} // namespace spanwise

/// The properties, for the end of a class:
///
/// - NumberOfFrames: how many frames there are, the start among them, from 1 to 1,000,000. Default: 100.
/// - MemoryLimit: what frames may take in memory on each rank, in millions of bytes. Default: 4000.
/// - FrameFolder: an existing folder of the machine that computes, for frames beyond the limit. They go with the
///   filter. Empty: none, and frames beyond the limit are an error. Default: empty.
/// - Interactive: whether somebody waits for each request, as at a window. Only then there is a time limit. Default:
///   false; ParaView's window sets it.
/// - Live: whether somebody looks on while frames are computed: an interactive request then gets the newest frame,
///   whatever time it is for. GoOn() has the next request compute one more, as long as GetFramesLeft() says that there
///   are any; there are none for requests that are not live. ParaView's window calls them again and again. Default:
///   false.
/// - TimeLimit: how many seconds an interactive request may compute before it gives the last frame that is done, not
///   negative; 0: no limit. A request computes a frame at least. Default: 2.
/// - CheckpointFile: a file of the machine that computes, into which the state at the frame that is shown is written,
///   and in its place that at each later one that is shown, so that another run can go on from there. Each of several
///   ranks writes its own, with ".0", ".1" ... behind the name. Empty: none. Default: empty.
/// - RestartFrom: the CheckpointFile of an earlier run with the same input, settings and number of ranks. Its frame is
///   the first one that there is; those that follow have the bits of a run that was not interrupted. Empty: the run
///   begins with frame 0. Default: empty.
///
/// A macro, since VTK's wrappers see no members that come from a template, and classes have one superclass.
#define SPANWISE_FRAME_PROPERTIES()                                                                                    \
public:                                                                                                                \
  vtkSetMacro(NumberOfFrames, int);                                                                                    \
  vtkGetMacro(NumberOfFrames, int);                                                                                    \
  vtkSetMacro(MemoryLimit, int);                                                                                       \
  vtkGetMacro(MemoryLimit, int);                                                                                       \
  vtkSetStdStringFromCharMacro(FrameFolder);                                                                           \
  vtkGetCharFromStdStringMacro(FrameFolder);                                                                           \
  vtkSetMacro(Interactive, bool);                                                                                      \
  vtkGetMacro(Interactive, bool);                                                                                      \
  vtkBooleanMacro(Interactive, bool);                                                                                  \
  vtkSetMacro(Live, bool);                                                                                             \
  vtkGetMacro(Live, bool);                                                                                             \
  vtkBooleanMacro(Live, bool);                                                                                         \
  void GoOn();                                                                                                         \
  int GetFramesLeft();                                                                                                 \
  vtkSetMacro(TimeLimit, double);                                                                                      \
  vtkGetMacro(TimeLimit, double);                                                                                      \
  vtkSetStdStringFromCharMacro(CheckpointFile);                                                                        \
  vtkGetCharFromStdStringMacro(CheckpointFile);                                                                        \
  vtkSetStdStringFromCharMacro(RestartFrom);                                                                           \
  vtkGetCharFromStdStringMacro(RestartFrom);                                                                           \
                                                                                                                       \
protected:                                                                                                             \
  /* What was chosen, for SteppedFrames. */                                                                            \
  spanwise::FrameChoice GetFrameChoice() const { return spanwise::frameChoice(this->GetFrameProperties()); }           \
  void PrintFrameProperties(ostream& os, vtkIndent indent) const {                                                     \
    spanwise::printFrameProperties(os, indent, this->GetFrameProperties());                                            \
  }                                                                                                                    \
  spanwise::FrameProperties GetFrameProperties() const {                                                               \
    return {this->NumberOfFrames, this->MemoryLimit, this->FrameFolder, this->Interactive, this->Live,                 \
      this->TimeLimit, this->CheckpointFile, this->RestartFrom};                                                       \
  }                                                                                                                    \
  int NumberOfFrames = 100;                                                                                            \
  int MemoryLimit = 4000;                                                                                              \
  std::string FrameFolder;                                                                                             \
  bool Interactive = false;                                                                                            \
  bool Live = false;                                                                                                   \
  double TimeLimit = 2.0;                                                                                              \
  std::string CheckpointFile;                                                                                          \
  std::string RestartFrom

#endif
