/** Records that one request links or unlinks. Links per call: a transaction takes 33, and the call must end in time. */
export const maxLinksPerCall = 1000
/** Links of a record that `total` counts. Links counted at most. A larger total is marked as not exact. */
export const maxCountedLinks = 50_000
/** Links that a page looks at for a caller with row rules. */
export const maxScannedLinks = 20_000
/** The name of a relation. */
export const maxRelationNameCharacters = 100
