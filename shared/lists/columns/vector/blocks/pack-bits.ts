/**
 * Codes as bytes: the first tells the bits of a code. Up to 16 are packed tightly; more are whole bytes, the lowest of
 * all codes first, then the next of all, which deflates better than code by code.
 */
export function packBits(codes: Uint8Array | Uint16Array | Uint32Array | Float64Array, most: number): Uint8Array {
  if (most > 0xffff) return packPlanes(codes, most)
  const bits = most === 0 ? 0 : 32 - Math.clz32(most)
  const bytes = new Uint8Array(1 + Math.ceil((codes.length * bits) / 8))
  bytes[0] = bits
  let [held, filled, at] = [0, 0, 1]
  for (let i = 0; i < codes.length; i += 1) {
    held |= codes[i]! << filled
    for (filled += bits; filled >= 8; filled -= 8) {
      bytes[at++] = held
      held >>>= 8
    }
  }
  if (filled > 0) bytes[at] = held
  return bytes
}

function packPlanes(codes: Uint8Array | Uint16Array | Uint32Array | Float64Array, most: number): Uint8Array {
  let width = 2
  while (256 ** width <= most) width += 1
  const bytes = new Uint8Array(1 + width * codes.length)
  bytes[0] = 8 * width
  for (let plane = 0, at = 1, weight = 1; plane < width; plane += 1, weight *= 256) {
    for (let i = 0; i < codes.length; i += 1) bytes[at++] = Math.floor(codes[i]! / weight) % 256
  }
  return bytes
}

/** The codes that `packBits` made bytes of, in the smallest array that holds them. */
export function unpackBits(bytes: Uint8Array, count: number): Uint8Array | Uint16Array | Uint32Array | Float64Array {
  const bits = bytes[0]!
  if (bits > 16) return unpackPlanes(bytes, count, bits / 8)
  const codes = bits <= 8 ? new Uint8Array(count) : new Uint16Array(count)
  const mask = (1 << bits) - 1
  let [held, filled, at] = [0, 0, 1]
  for (let i = 0; i < count; i += 1) {
    for (; filled < bits; filled += 8) held |= bytes[at++]! << filled
    codes[i] = held & mask
    held >>>= bits
    filled -= bits
  }
  return codes
}

function unpackPlanes(bytes: Uint8Array, count: number, width: number): Uint32Array | Float64Array {
  const codes = width <= 4 ? new Uint32Array(count) : new Float64Array(count)
  for (let plane = 0, at = 1, weight = 1; plane < width; plane += 1, weight *= 256) {
    for (let i = 0; i < count; i += 1) codes[i]! += bytes[at++]! * weight
  }
  return codes
}
