/* How functions of CUDA's round that are told by an argument. */
#pragma once

enum cudaRoundMode {
    cudaRoundNearest,
    cudaRoundZero,
    cudaRoundPosInf,
    cudaRoundMinInf,
};
