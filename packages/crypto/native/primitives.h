// Points, key images, commitments and balances; bytes in, answers out.
#pragma once

#include "bytes.h"

namespace monero {

void hashBytes(u8 hash[32], const u8* data, size_t size);
void hashToPointBytes(u8 point[32], const u8* data, size_t size);
bool isPoint(const u8 point[32]);
/** Decodes, is not the identity, and l·P is the identity. */
bool isValidKeyImage(const u8 keyImage[32]);
/** G + amount·H. */
void commitToAmount(u8 commitment[32], u64 amount);
/** Sum of the inputs = sum of the outputs + fee·H, as points. */
bool verifyBalance(const u8* inputs, size_t inputCount, const u8* outputs, size_t outputCount,
                   u64 fee);

}  // namespace monero
