/** How many consecutive ids one block, and one vector, has the values of. */
export const chunkIds = 16_384

export const chunkOf = (id: number): number => Math.floor(id / chunkIds)
/** The place of an id within its chunk. */
export const positionOf = (id: number): number => id % chunkIds
export const idAt = (chunk: number, position: number): number => chunk * chunkIds + position
