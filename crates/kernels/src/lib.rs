//! Numbers on slices: matrix products, fused layers, elementary functions, Adam, random numbers. SIMD, no allocation.
