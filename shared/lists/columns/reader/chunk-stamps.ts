import { chunkIds } from '../chunk.ts'
import { NumbersVector } from '../vector/numbers.ts'
import type { Vector } from '../vector/vector.ts'

/** Which records of a chunk there are, and in which version. The arrays grow; positions beyond them have no record. */
export interface ChunkStamps {
  /** 0 where no record ever was. */
  stamps: Uint32Array
  /** 1 where a record lives. The length is a multiple of four. */
  alive: Uint8Array
  /** How many live. */
  live: number
}

const smallest = 256
/** The memory of the stamps of a whole chunk. */
export const maxStampBytes = 5 * chunkIds

export const emptyStamps = (): ChunkStamps => ({
  stamps: new Uint32Array(smallest),
  alive: new Uint8Array(smallest),
  live: 0,
})

/** The stamps of a stored block. */
export function stampsOfVector(vector: Vector | undefined): ChunkStamps {
  const chunk: ChunkStamps = { stamps: new Uint32Array(chunkIds), alive: new Uint8Array(chunkIds), live: 0 }
  if (!(vector instanceof NumbersVector)) {
    for (let position = 0; position < chunkIds; position += 1) {
      setStamp(chunk, position, Number(vector?.get(position) ?? 0))
    }
    return chunk
  }
  for (let position = 0; position < chunkIds; position += 1) {
    const stamp = vector.numberAt(position)
    if (!(stamp > 0)) continue
    chunk.stamps[position] = stamp
    const life = (stamp & 1) ^ 1
    chunk.alive[position] = life
    chunk.live += life
  }
  return chunk
}

export const stampAt = (chunk: ChunkStamps | undefined, position: number): number => chunk?.stamps[position] ?? 0

/** Sets one stamp; the record lives when it is even and not 0. */
export function setStamp(chunk: ChunkStamps, position: number, stamp: number): void {
  if (position >= chunk.stamps.length) grow(chunk, position + 1)
  const life = stamp > 0 && stamp % 2 === 0 ? 1 : 0
  chunk.live += life - (chunk.alive[position] as number)
  chunk.stamps[position] = stamp
  chunk.alive[position] = life
}

function grow(chunk: ChunkStamps, least: number): void {
  let length = chunk.stamps.length
  while (length < least) length *= 2
  const { stamps, alive } = chunk
  chunk.stamps = new Uint32Array(length)
  chunk.stamps.set(stamps)
  chunk.alive = new Uint8Array(length)
  chunk.alive.set(alive)
}

/** The greatest position that ever had a record, or -1. */
export function lastPosition({ stamps }: ChunkStamps): number {
  let position = stamps.length - 1
  while (position >= 0 && stamps[position] === 0) position -= 1
  return position
}

/** The memory that it takes. */
export const stampBytes = ({ stamps, alive }: ChunkStamps): number => stamps.byteLength + alive.byteLength
