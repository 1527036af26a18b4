// Memory in whole pages from the operating system.
#pragma once

#include <cstddef>
#include <cstdint>

namespace torchette {

std::size_t pageBytes();
std::size_t roundedUp(std::int64_t bytes, std::size_t unit);

/// `bytes` bytes aligned to 64, in pages of their own with an inaccessible page behind them, so
/// that overruns of more than 63 bytes end the program by SIGSEGV. Throws std::bad_alloc.
void* mapGuarded(std::int64_t bytes);
/// Takes back what mapGuarded(bytes) gave.
void unmapGuarded(void* data, std::int64_t bytes) noexcept;

}  // namespace torchette
