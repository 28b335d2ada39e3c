import type { ConfigRow, RowTimes } from '../config.ts'
import { idText } from '../keys/key.ts'

/** Reads the configuration row of an object that is named by its id. */
export const readObject = <T extends { readonly version: number }>({
  doc,
  version,
  createdAt,
  updatedAt,
}: ConfigRow): T => ({ ...(doc as object), version, createdAt, updatedAt }) as unknown as T

/** The configuration row of an object. It is named by the id, so that a rename changes no key. */
export const objectRow = <T extends RowTimes & { readonly id: number; readonly version: number }>({
  version,
  createdAt,
  updatedAt,
  ...doc
}: T): ConfigRow => ({ name: idText(doc.id), version, doc, createdAt, updatedAt })

/** The times of a stored object in an answer. */
export const describeTimes = ({ createdAt, updatedAt }: RowTimes): { created_at: string; updated_at: string } => ({
  created_at: createdAt as string,
  updated_at: updatedAt as string,
})
