/** What the address of the own requests says. */
export interface RequestsSearch {
  /** Left out: those that are open. */
  readonly state?: 'closed' | 'all'
  readonly q?: string
}

/** Reads an address; what is not understood is left out. */
export const readRequestsSearch = ({ state, q }: Record<string, unknown>): RequestsSearch => ({
  ...((state === 'closed' || state === 'all') && { state }),
  ...(typeof q === 'string' && q !== '' && { q }),
})

/** What the address of a request says: whether it was sent a moment ago. */
export interface RequestSearch {
  readonly sent?: true
}

export const readRequestSearch = ({ sent }: Record<string, unknown>): RequestSearch => (sent === true ? { sent } : {})
