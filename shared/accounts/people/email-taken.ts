import { Invalid } from '../../kernel/failures/faults.ts'

/** The fault for an e-mail address that another person has. */
export const emailTaken = (): Invalid => new Invalid({ email: ['The email has already been taken.'] })
