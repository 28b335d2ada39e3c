/** What `ADMIN_EMAIL` and `ADMIN_PASSWORD` do, said before the service starts. */
import { BadSetting, type Settings } from '../runtime/settings/settings.ts'
import type { Seeded } from './seeded.ts'

/** Throws BadSetting when the API would refuse the e-mail address or the password of the first administrator. */
export async function refuseWeakAdministrator({ adminEmail: email, adminPassword: password }: Settings): Promise<void> {
  // A password that is made up here is a good one.
  if (password === undefined) return
  const { administratorProblem } = await import('../../operate/first-tenant/administrator-problem.ts')
  const problem = administratorProblem({ name: 'Administrator', email, password })
  if (problem?.member === 'email') throw new BadSetting(`ADMIN_EMAIL is an e-mail address, not "${email}".`)
  if (problem)
    throw new BadSetting(
      `ADMIN_PASSWORD is refused: ${problem.message} Set another one, or none: then one is made up and printed.`,
    )
}

/** The lines to print when the variables have no effect, because the data directory has its administrator. */
export function ignoredAdministrator({ adminEmail, adminPassword }: Settings, seeded: Seeded): string[] {
  const isOther = adminEmail.toLowerCase() !== seeded.administrator
  const given = [...(isOther ? ['ADMIN_EMAIL'] : []), ...(adminPassword === undefined ? [] : ['ADMIN_PASSWORD'])]
  if (given.length === 0) return []
  return [
    `${given.join(' and ')} ${given.length === 1 ? 'changes' : 'change'} nothing: this data directory has its administrator, ${seeded.administrator}. A new password is set with \`npm run admin -- --email ${seeded.administrator}\`, or by PUT /api/user once signed in.`,
  ]
}
