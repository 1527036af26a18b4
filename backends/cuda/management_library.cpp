// Calling the management library, which comes with the driver and not with the CUDA Toolkit, so
// that it is looked for while the program runs.
#include "backends/cuda/management_library.h"

#include "backends/cuda/shared_library.h"

namespace torchette::cuda {

namespace {

// The parts of the library's interface that are used; 0 is success.
using Device = void*;
struct Memory {
  unsigned long long totalBytes = 0, freeBytes = 0, usedBytes = 0;
};
using Initialise = int();
using Shutdown = int();
using FindDevice = int(const char* busAddress, Device* device);
using ReadMemory = int(Device device, Memory* memory);

/// Keeps the library initialised.
class Session {
 public:
  explicit Session(const SharedLibrary& library)
      : shutdown_(library.find<Shutdown>("nvmlShutdown")) {
    const auto initialise = library.find<Initialise>("nvmlInit_v2");
    isOpen_ = initialise != nullptr && shutdown_ != nullptr && initialise() == 0;
  }
  ~Session() {
    if (isOpen_) shutdown_();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  bool isOpen() const { return isOpen_; }

 private:
  Shutdown* shutdown_;
  bool isOpen_ = false;
};

}  // namespace

std::optional<std::int64_t> bytesInUseByManagementLibrary(const std::string& busAddress) {
  const SharedLibrary library("libnvidia-ml.so.1");
  const Session session(library);
  const auto findDevice = library.find<FindDevice>("nvmlDeviceGetHandleByPciBusId_v2");
  const auto readMemory = library.find<ReadMemory>("nvmlDeviceGetMemoryInfo");
  if (!session.isOpen() || findDevice == nullptr || readMemory == nullptr) return {};
  Device device = nullptr;
  Memory memory;
  if (findDevice(busAddress.c_str(), &device) != 0) return {};
  if (readMemory(device, &memory) != 0) return {};
  return static_cast<std::int64_t>(memory.totalBytes - memory.freeBytes);
}

}  // namespace torchette::cuda
