/** `npm run restore`: puts the data of a backup into the data directory of a local service (`DATA_DIR`). */

import { restore } from '../local/backup/restore.ts'
import { runCommand } from './command.ts'

const command = {
  name: 'restore',
  does: 'Puts the data of a backup into the directory DATA_DIR of a local service, which must not run.',
  options: {
    from: { value: '<folder>', meaning: 'what npm run backup made', isRequired: true },
    force: { meaning: 'moves data that is there to <directory>.before-<time>' },
  },
  example: '--from backups/2026-11-20',
} as const

await runCommand(command, async ({ from, force }) => {
  const directory = process.env['DATA_DIR'] || '.local'
  const { at, entries, files, before } = await restore(from, directory, { force: force === true })
  if (before !== undefined) console.log(`What was in ${directory} is in ${before}.`)
  console.log(`${directory} has the ${entries} entries and ${files} files of ${at}. Run npm start.`)
})
