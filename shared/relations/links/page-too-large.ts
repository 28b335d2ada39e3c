import { Invalid } from '../../kernel/faults.ts'

/** Says that a page of related records is too large, and how many records fit. */
export const pageTooLarge = (perPage: number, fit: number): Invalid =>
  new Invalid(
    {
      per_page: [
        `A page of ${perPage} records is larger than 4 MB here; ${fit} fit. Use a cursor or a smaller per_page.`,
      ],
    },
    { code: 'page_too_large' },
  )
