import type { Words } from '../../words.ts'

export const past: Words['past'] = {
  menu: 'Frühere Fassungen …',
  title: 'Frühere Fassungen',
  moment: 'Zeitpunkt',
  position: 'Fassung {{number}} von {{count}}',
  now: 'Jetzt:',
  restore: 'Zurückholen',
  restoreField: '{{field}} zurückholen',
  restoreAll: 'Alles hiervon zurückholen',
  same: 'So ist es auch jetzt.',
  done: 'Zurückgeholt.',
}
