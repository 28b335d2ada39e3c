/**
 * `npm run admin`: prints an invitation link for an administrator. Works on the local service, running or stopped
 * (`DATA_DIR`), or on a deployed one (`--stage` or `--table`, with the AWS credentials of the environment).
 */

import { parseArgs } from 'node:util'
import { invitationUrl, inviteAdministrator } from '../../shared/accounts/service.ts'
import { clock } from '../../shared/kernel/time/clock.ts'
import { createStore } from '../../shared/platform/store/store.ts'
import { errorMessage } from './error-message.ts'
import { openTable } from './open-table.ts'

const usage = `Usage: npm run admin -- --email <address> [--tenant <slug>]
         [--stage <name> | --table <name>]  a deployed service (default: the local one in DATA_DIR)
         [--url <address>]                  the address of that service, for the link`

try {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      tenant: { type: 'string' },
      stage: { type: 'string' },
      table: { type: 'string' },
      url: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help || values.email === undefined) {
    console.log(usage)
    process.exitCode = values.help ? 0 : 1
  } else {
    await invite(values)
  }
} catch (error) {
  console.error(errorMessage(error, usage))
  process.exitCode = 1
}

async function invite(given: {
  email?: string
  tenant?: string
  stage?: string
  table?: string
  url?: string
}): Promise<void> {
  const { email, tenant } = given
  const target = await openTable(given)
  try {
    const invitation = await inviteAdministrator(
      { store: createStore(target.tableName, target.client), clock },
      { email, tenant },
    )
    const appUrl = process.env['APP_URL']
    const link = invitationUrl(invitation.token, { appUrl, publicUrl: target.url ?? '' })
    console.log(
      `${invitation.email} is invited as administrator of ${invitation.tenant.slug}. The link works once, until ${invitation.expires_at}:`,
    )
    console.log(`\n  ${link}\n`)
    if (target.url === undefined && !appUrl)
      console.log('Put the address of the service before the link, or pass it with --url.')
    if (!appUrl) {
      console.log('To accept it without a browser:')
      const endpoint = link.replace(/\/join\/(?=[^/]*$)/, '/api/join/')
      console.log(`\n  curl -X POST ${endpoint} -H 'content-type: application/json' \\`)
      console.log(`    -d '{"name":"...","password":"...","password_confirmation":"..."}'\n`)
    }
  } finally {
    target.client.destroy()
    await target.close()
  }
}
