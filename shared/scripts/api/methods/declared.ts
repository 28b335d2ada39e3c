/** What every method of `$api` declares. */
export interface Declared {
  readonly name: string
  /** Its TypeScript with what authors should know, for editors. */
  readonly declaration: string
  /** Types that its declaration needs. */
  readonly types?: string
}
