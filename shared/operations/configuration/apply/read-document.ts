import { parseInput } from '../../../platform/http/routing/input/parse-input.ts'
import { readJsonFile } from '../../../platform/http/routing/json/json-body.ts'
import { ConfigurationDocument, keysPerObject } from '../schema.ts'

/** The largest file that is applied: the job that does it has it in memory several times. */

/**
 * Reads an uploaded file as a configuration. Throws Malformed when it is not JSON, and Invalid naming every path that has
 * a wrong shape.
 */
export const readDocument = (bytes: Uint8Array): ConfigurationDocument =>
  parseInput(ConfigurationDocument, readJsonFile(bytes, { keysPerElement: keysPerObject }))
