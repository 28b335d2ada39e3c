import { NewUserBody } from '../../../shared/accounts/schema.ts'

/** Why the API would refuse this administrator, by the same rules; undefined when it would not. */
export function administratorProblem(
  administrator: Readonly<Record<'name' | 'email' | 'password', string>>,
): { readonly member: string; readonly message: string } | undefined {
  const [issue] = NewUserBody.safeParse(administrator).error?.issues ?? []
  return issue && { member: String(issue.path[0]), message: issue.message }
}
