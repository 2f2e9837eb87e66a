import './assets/base.css'
import { mount } from 'svelte'
import App from './app/App.svelte'
import { activateOwn, keepLoaded } from './service-worker'
import { newVersion } from './state/new-version.svelte'
import { runs } from './state/kept/runs.svelte'

runs.start()

const target = document.getElementById('app')!
target.replaceChildren()
mount(App, { target })

void keepLoaded()
void activateOwn()
newVersion.watch()
