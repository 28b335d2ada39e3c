import type { TenantRef } from '../../../kernel/tenancy.ts'
import { gunzipJson, gzipJson } from '../../../platform/store/values/pack-json.ts'
import type { ConfigurationDocument } from '../schema.ts'

/** Keeps the document that a job applies: an upload that no record holds may go before the job ends. */
export interface DocumentObjects {
  putObject(key: string, body: Uint8Array): Promise<void>
  fetchObject(key: string): Promise<Uint8Array>
}

/** Answers the key of the object. */
export async function keepDocument(
  objects: Pick<DocumentObjects, 'putObject'>,
  tenant: TenantRef,
  name: string,
  document: ConfigurationDocument,
): Promise<string> {
  const key = `imports/${tenant.id}/configuration-${name}.json.gz`
  await objects.putObject(key, gzipJson(document))
  return key
}

export const fetchDocument = async (
  objects: Pick<DocumentObjects, 'fetchObject'>,
  key: string,
): Promise<ConfigurationDocument> => gunzipJson<ConfigurationDocument>(await objects.fetchObject(key))
