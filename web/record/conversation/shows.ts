/** What a timeline can be narrowed to. */
export const shows = ['all', 'conversation', 'notes', 'changes', 'process', 'deliveries'] as const
export type Show = (typeof shows)[number]
