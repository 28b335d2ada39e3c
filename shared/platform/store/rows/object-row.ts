import type { ConfigRow } from '../config.ts'
import { idText } from '../keys/key.ts'

/** Reads the configuration row of an object that is named by its id. */
export const readObject = <T extends { readonly version: number }>({ doc, version }: ConfigRow): T =>
  ({ ...(doc as object), version }) as T

/** The configuration row of an object. It is named by the id, so that a rename changes no key. */
export const objectRow = <T extends { readonly id: number; readonly version: number }>({
  version,
  ...doc
}: T): ConfigRow => ({ name: idText(doc.id), version, doc })
