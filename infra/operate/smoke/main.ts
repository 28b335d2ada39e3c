/**
 * `npm run smoke`: tries what a service is for, over HTTP, as a client would. Leaves nothing behind. Works on any service
 * whose address is known.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { runCommand } from '../command.ts'
import { smoke } from './smoke.ts'

const command = {
  name: 'smoke',
  does: 'Signs in as an administrator and tries records, lists, search, hooks, webhooks and mail, in a table of its own, which it\nremoves afterwards. Exits with 1 when something does not work.',
  options: {
    url: { value: '<address>', meaning: 'of the service', isRequired: true },
    email: { value: '<address>', meaning: 'of an administrator without a second factor', isRequired: true },
    'password-file': { value: '<path>', meaning: 'the password is its first line; left out: SMOKE_PASSWORD' },
    'without-webhooks': {
      meaning: 'where rules for incoming messages of the channel api would act on the one that it sends',
    },
    tenant: { value: '<slug>', meaning: 'which tenant; left out: the last one of the administrator' },
  },
  example: '--url https://api.example.com --email ada@example.com --password-file ~/.smoke',
} as const

await runCommand(command, async ({ url, email, tenant, 'password-file': file, 'without-webhooks': without }) => {
  const password =
    file === undefined ? process.env['SMOKE_PASSWORD'] : (await readFile(file, 'utf8')).split(/\r?\n/, 1)[0]
  if (!password)
    throw new Error(
      file === undefined
        ? 'The password is missing: give --password-file, or set SMOKE_PASSWORD.'
        : `The first line of ${file} is empty: it is to be the password.`,
    )
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new Error(`--url is not an address: "${url}". It begins with https:// or http://.`)
  const name = `smoke_${randomBytes(5).toString('hex')}`
  const checks = await smoke(
    { url: url.replace(/\/+$/, ''), email, password, tenant, name, webhooks: !without },
    (line) => console.log(line),
  )
  const failed = checks.filter(({ outcome }) => outcome === 'failed').length
  console.log(failed === 0 ? 'Everything works.' : `${failed} of ${checks.length} checks failed.`)
  return failed === 0 ? 0 : 1
})
