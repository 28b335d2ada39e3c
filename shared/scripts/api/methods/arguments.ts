import * as z from 'zod'

/* Arguments that several methods take. */
export const tableName = z.string().min(1)
export const recordId = z.int()
export const recordData = z.record(z.string(), z.unknown())
export const chatId = z.union([z.int(), z.string().min(1)]).transform(String)
const userId = z.int().min(1)
export const userIds = z.union([userId.transform((id) => [id]), z.array(userId)]).transform((ids) => [...new Set(ids)])
/** A number is an id, a text is a name. */
export const channel = z
  .union([z.int(), z.string()])
  .nullish()
  .transform((given) => given ?? null)
