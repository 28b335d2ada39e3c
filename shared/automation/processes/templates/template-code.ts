import { codeOfName } from '../../../kernel/text/code-of-name.ts'
import { codePattern } from '../schema.ts'

/** Makes a code of a name: `approve-a-request` of `Approve a request`; undefined when no letter of it can be used. */
export function templateCode(name: string): string | undefined {
  const code = codeOfName(name)
  return code !== undefined && codePattern.test(code) ? code : undefined
}
