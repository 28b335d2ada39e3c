/** `npm run backup`: copies the data of the local service, running or stopped (`DATA_DIR`), into a folder. */

import { backUp } from '../local/backup/back-up.ts'
import { runCommand } from './command.ts'

const command = {
  name: 'backup',
  does: `Copies all data of the local service in DATA_DIR into a folder, as it is at one moment, also while the service runs.
On AWS, the table and the bucket are restored to a moment by the account itself: docs/operate.md.`,
  options: {
    to: { value: '<folder>', meaning: 'a new or empty folder', isRequired: true },
  },
  example: '--to backups/2026-11-20',
} as const

await runCommand(command, async ({ to }) => {
  const began = performance.now()
  const { entries, files } = await backUp(process.env['DATA_DIR'] || '.local', to, (copied) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${copied} entries ...`)
  })
  if (process.stderr.isTTY) process.stderr.write('\r')
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${entries} entries and ${files} files are in ${to}, after ${seconds} s.`)
  console.log('It has everything, secrets and their key too: keep it where only you can read it.')
})
