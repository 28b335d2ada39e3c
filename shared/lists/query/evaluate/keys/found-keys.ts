import { chunkOf, positionOf } from '../../../columns/chunk.ts'
import type { FoundInChunk } from '../../../search/score-chunk.ts'
import { alwaysReady, type KeySource } from './key-source.ts'

/** What a search found in each chunk. */
export type FoundChunks = (chunk: number) => FoundInChunk | undefined

/** How well records match a search, as sort keys. */
export const foundKeys = (found: FoundChunks): KeySource => ({
  ready: alwaysReady,
  isExact: true,
  keyOf: Number,
  read(chunk, positions, out, at) {
    const all = found(chunk)
    let next = 0
    for (let i = 0; i < positions.length; i += 1) {
      const position = positions[i] as number
      while (all && next < all.positions.length && (all.positions[next] as number) < position) next += 1
      out[at + i] = all?.positions[next] === position ? (all.scores[next] as number) : Number.NaN
    }
  },
  valuesOf: (ids) =>
    Array.from(ids, (id) => {
      const all = found(chunkOf(id))
      const at = all ? all.positions.indexOf(positionOf(id)) : -1
      return at === -1 ? undefined : all?.scores[at]
    }),
})
