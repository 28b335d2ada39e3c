import { group } from '../../shared/http/routing/endpoint-group.ts'
import { implement } from '../../shared/http/routing/implement.ts'
import { compose } from '../wiring/compose.ts'
import * as route from './routes.ts'

const { authenticate, entities, files } = compose()

export const handler = group({ authenticate }, [
  implement(route.beginUpload, ({ caller, body }) => files.begin(caller, body)),
  implement(route.openFile, ({ caller, query }) => files.open(caller, query.path, entities.findMany)),
])
