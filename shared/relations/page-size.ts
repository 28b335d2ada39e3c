import { Invalid } from '../faults.ts'

/** A page ends before its JSON grows past what a response may carry. */
export const maxPageBytes = 4 * 1024 * 1024

export const pageTooLarge = (perPage: number, fit: number): Invalid =>
  new Invalid({ per_page: [`A page of ${perPage} records is larger than 4 MB here; ${fit} fit. Use a cursor or a smaller per_page.`] })
