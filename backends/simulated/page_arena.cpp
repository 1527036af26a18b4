#include "backends/simulated/page_arena.h"

#include <sys/mman.h>

#include <new>

#include "backends/simulated/pages.h"

namespace torchette {

namespace {

/// Address space only; memory is taken page by page as it is touched.
constexpr std::size_t reservedBytes = std::size_t{1} << 36;

}  // namespace

PageArena::PageArena() {
  void* pages =
      mmap(nullptr, reservedBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  begin_ = static_cast<std::byte*>(pages);
}

PageArena::~PageArena() { munmap(begin_, reservedBytes); }

void* PageArena::allocate(std::int64_t bytes) {
  const std::size_t wholeBytes = roundedUp(bytes, pageBytes());
  if (const auto found = freed_.find(wholeBytes); found != freed_.end()) {
    return freed_.extract(found).mapped();
  }
  if (wholeBytes > reservedBytes - usedBytes_) throw std::bad_alloc();
  std::byte* data = begin_ + usedBytes_;
  usedBytes_ += wholeBytes;
  if (isOpen_) open();
  return data;
}

void PageArena::free(void* data, std::int64_t bytes) noexcept {
  const std::size_t wholeBytes = roundedUp(bytes, pageBytes());
  madvise(data, wholeBytes, MADV_DONTNEED);
  freed_.emplace(wholeBytes, static_cast<std::byte*>(data));
}

void PageArena::protect(bool isOpen) {
  isOpen_ = isOpen;
  if (usedBytes_ == 0) return;
  if (mprotect(begin_, usedBytes_, isOpen ? PROT_READ | PROT_WRITE : PROT_NONE) != 0) {
    throw std::bad_alloc();
  }
}

}  // namespace torchette
