// TORCHETTE_KERNEL: marks functions that the host and a CUDA device can both run.
#pragma once

#if defined(__CUDACC__)
#define TORCHETTE_KERNEL __host__ __device__
#else
#define TORCHETTE_KERNEL
#endif
