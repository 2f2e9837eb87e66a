import './assets/base.css'
import './assets/parts.css'
import './assets/fields.css'
import './assets/forced-colors.css'
import { mount } from 'svelte'
import App from './app/App.svelte'
import { embedded } from './host/embed'
import { repairLanguage } from './host/language'
import { activateOwn, keepLoaded } from './host/service-worker'
import { reloadFailedStylesheets } from './host/stylesheets'
import { address } from './state/address.svelte'
import { firstView, firstViewComplete, setFirstView } from './state/first-view'
import { Lab } from './state/lab.svelte'
import { offline } from './state/offline.svelte'
import { theme } from './state/theme.svelte'
import { newVersion } from './state/new-version.svelte'
import { Runs } from './state/storage/runs.svelte'

repairLanguage()
reloadFailedStylesheets()
const lab = new Lab()
const runs = new Runs(lab)
// A frame of another site neither resumes nor stores runs.
if (!embedded) runs.start()

if (embedded && address.theme) theme.apply(address.theme)

// The worker starts while the code of the page is loaded.
const { route } = address
if (route.page === 'exhibit') setFirstView(firstView(lab.start(route.world)))
else if (route.page === 'landing' && !embedded) setFirstView(firstView(lab.start()))
else setFirstView(Promise.resolve())

const target = document.getElementById('app')!
target.replaceChildren()
mount(App, { target, props: { lab, runs } })

// The requests of the font and of the service worker would delay the first view.
void firstViewComplete.then(() => {
  delete document.documentElement.dataset.loading
  void keepLoaded()
  if (!embedded) {
    void offline.update()
    // The service worker of a newer build has other files.
    navigator.serviceWorker?.addEventListener('controllerchange', () => void offline.update())
  }
  void activateOwn()
  if (!embedded) newVersion.watch()
})
