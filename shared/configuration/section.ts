import type { FieldErrors } from '../kernel/faults.ts'
import type { Caller } from '../kernel/principal.ts'
import type { ConfigurationDocument } from './schema.ts'

/** One kind of configuration in the document. */
export interface Section<Document extends { readonly name: string }> {
  /** The existing documents by name. */
  read(caller: Caller): Promise<ReadonlyMap<string, Document>>
  /** The document with missing members filled in from the existing one, or from the defaults. */
  complete(document: Document, before: Document | undefined): Document
  /** The errors of the documents by path within the section. `whole`: the document with all sections. */
  check(
    caller: Caller,
    documents: readonly Document[],
    existing: ReadonlyMap<string, Document>,
    whole: ConfigurationDocument,
  ): Promise<FieldErrors>
  /** The documents in an order in which they can be created. Default: as given. */
  inOrder?(documents: readonly Document[]): readonly Document[]
  create(caller: Caller, document: Document): Promise<void>
  change(caller: Caller, document: Document): Promise<void>
}
