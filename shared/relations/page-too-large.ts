import { Invalid } from '../kernel/faults.ts'

export const pageTooLarge = (perPage: number, fit: number): Invalid =>
  new Invalid(
    {
      per_page: [
        `A page of ${perPage} records is larger than 4 MB here; ${fit} fit. Use a cursor or a smaller per_page.`,
      ],
    },
    { code: 'page_too_large' },
  )
