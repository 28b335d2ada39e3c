import * as z from 'zod'
import { recordId } from '../arguments.ts'
import { apiMethod } from '../method.ts'

const userQuery = z.strictObject({
  id: recordId.nullish(),
  email: z.string().nullish(),
  role: z.string().nullish(),
  search: z.string().nullish(),
})

export const findUsers = apiMethod('users.find({id, email, role, search})', [userQuery], {
  declaration: `readonly users: {
    /** At most 100 active people who match everything that is given, by name; none when a given value is null. */
    find(query: { id?: number | null; email?: string | null; role?: string | null; search?: string | null }): Person[]
  }`,
  types: `interface Person {
  id: number
  name: string
  email: string | null
  roles: string[]
  org_unit_ids: number[]
  /** Who manages the first org unit of the person that has a manager. */
  manager_id?: number
}`,
  run: ({ records }, query) => records.findUsers(query),
})
