#include "backends/simulated/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace torchette {

namespace {

/// How far behind the start of its pages an allocation lies: it ends where they end.
std::size_t offsetInPages(std::int64_t bytes) {
  constexpr std::size_t alignment = 64;
  return roundedUp(bytes, pageBytes()) - roundedUp(bytes, alignment);
}

}  // namespace

std::size_t pageBytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t roundedUp(std::int64_t bytes, std::size_t unit) {
  return (static_cast<std::size_t>(bytes) + unit - 1) / unit * unit;
}

void* mapGuarded(std::int64_t bytes) {
  const std::size_t wholeBytes = roundedUp(bytes, pageBytes());
  void* pages = mmap(nullptr, wholeBytes + pageBytes(), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  auto* begin = static_cast<std::byte*>(pages);
  if (mprotect(begin + wholeBytes, pageBytes(), PROT_NONE) != 0) {
    munmap(begin, wholeBytes + pageBytes());
    throw std::bad_alloc();
  }
  return begin + offsetInPages(bytes);
}

void unmapGuarded(void* data, std::int64_t bytes) noexcept {
  munmap(static_cast<std::byte*>(data) - offsetInPages(bytes),
         roundedUp(bytes, pageBytes()) + pageBytes());
}

}  // namespace torchette
