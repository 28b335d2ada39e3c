import type { Words } from '../../words.ts'

export const unsent: Words['unsent'] = {
  onlineAgain: 'Sie sind wieder verbunden. Was Sie geschrieben haben, ist noch nicht gesendet.',
  keptOffline: 'Nicht gesendet: Es gibt keine Verbindung. Was Sie geschrieben haben, bleibt hier.',
  notReached: 'Nicht gesendet: Der Dienst war nicht zu erreichen. Was Sie geschrieben haben, bleibt hier.',
  sendNow: 'Jetzt senden',
  changedMeanwhile: '{{name}} hat diesen Datensatz geändert:',
  changedToo: 'das ändern Sie auch gerade',
  gone: 'Dieser Datensatz wurde inzwischen gelöscht, oder Sie dürfen ihn nicht mehr sehen. Was Sie sehen, stand vorher da.',
  keptFrom: 'Das haben Sie vorher geschrieben und nicht gespeichert.',
  beginAnew: 'Neu beginnen',
  keptNew: 'Das haben Sie vorher begonnen und nicht gesendet.',
}
