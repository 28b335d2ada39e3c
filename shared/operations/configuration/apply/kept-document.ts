import type { TenantRef } from '../../../kernel/tenancy.ts'
import { parseInput } from '../../../platform/http/routing/input/parse-input.ts'
import { readJsonFile } from '../../../platform/http/routing/json/json-body.ts'
import { gunzipJson, gzipJson } from '../../../platform/store/values/pack-json.ts'
import { ConfigurationDocument, keysPerObject } from '../schema.ts'

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

/** The largest file that is applied: the job that does it has it in memory several times. */

/**
 * Reads an uploaded file as a configuration. Throws Malformed when it is not JSON, and Invalid naming every path that has
 * a wrong shape.
 */
export const readDocument = (bytes: Uint8Array): ConfigurationDocument =>
  parseInput(ConfigurationDocument, readJsonFile(bytes, { keysPerElement: keysPerObject }))
