// Address space that takes memory only where it is touched, for tests of offsets beyond 32 bits.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace torchette::testing {

/// `elements` floats, all 0.
class SparseFloats {
 public:
  explicit SparseFloats(std::int64_t elements)
      : bytes_(static_cast<std::size_t>(elements) * sizeof(float)),
        data_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (data_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~SparseFloats() { munmap(data_, bytes_); }
  SparseFloats(const SparseFloats&) = delete;
  SparseFloats& operator=(const SparseFloats&) = delete;

  float* data() const { return static_cast<float*>(data_); }

 private:
  std::size_t bytes_;
  void* data_;
};

}  // namespace torchette::testing
