/**
 * `npm run admin`: prints an invitation link for an administrator. Works on the local service, running or stopped
 * (`DATA_DIR`), or on a deployed one (`--stage` or `--table`, with the AWS credentials of the environment).
 */

import { invitationUrl } from '../../shared/accounts/invitations/administer-invitations.ts'
import { inviteAdministrator } from '../../shared/accounts/invitations/invite-administrator.ts'
import { clock } from '../../shared/kernel/time/clock.ts'
import { createStore } from '../../shared/platform/store/store.ts'
import { type Given, runCommand } from './command.ts'
import { openTable } from './open-table.ts'

const command = {
  name: 'admin',
  does: 'Prints an invitation for an administrator, with which somebody signs in when nobody else can.',
  options: {
    email: { value: '<address>', meaning: 'who is invited', isRequired: true },
    tenant: { value: '<slug>', meaning: 'of which tenant; left out: the first one' },
    stage: { value: '<name>', meaning: 'a deployed service; left out: the local one in DATA_DIR' },
    table: { value: '<name>', meaning: 'its DynamoDB table, when the stage does not tell' },
    url: { value: '<address>', meaning: 'the address of the service, for the link' },
  },
  example: '--email ada@example.com',
} as const

await runCommand(command, invite)

async function invite(given: Given<(typeof command)['options']>): Promise<void> {
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
