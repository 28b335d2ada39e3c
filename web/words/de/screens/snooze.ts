import type { Words } from '../../words.ts'

export const snooze: Words['snooze'] = {
  title: 'Zurückstellen',
  tomorrow: 'Morgen früh',
  nextWeek: 'Nächste Woche',
  until: 'Bis',
  action: 'Bis dahin zurückstellen',
  done: 'Zurückgestellt: bis dahin oder bis zu einer Änderung nicht in Ihren Ansichten.',
  snoozed: 'Zurückgestellt bis',
  end: 'Zurückstellung beenden',
}
