import type { FieldErrors } from '../kernel/faults.ts'
import type { Caller } from '../kernel/principal.ts'
import type { ConfigurationDocument } from './schema.ts'

/** One kind of configuration, told by name. A kind more is a section more. */
export interface Section<Document extends { readonly name: string }> {
  /** What stands now, by name. */
  read(caller: Caller): Promise<ReadonlyMap<string, Document>>
  /** The document as it will stand: what it leaves out is taken from what stands, or from the defaults. */
  complete(document: Document, before: Document | undefined): Document
  /** What is wrong with the documents, by path within the section; nothing may be applied then. `whole`: all that is asked for. */
  check(
    caller: Caller,
    documents: readonly Document[],
    existing: ReadonlyMap<string, Document>,
    whole: ConfigurationDocument,
  ): Promise<FieldErrors>
  /** The order in which new ones can be made. */
  inOrder?(documents: readonly Document[]): readonly Document[]
  create(caller: Caller, document: Document): Promise<void>
  change(caller: Caller, document: Document): Promise<void>
}
