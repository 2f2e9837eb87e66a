import './assets/base.css'
import { mount } from 'svelte'
import App from './app/App.svelte'

const target = document.getElementById('app')!
target.replaceChildren()
mount(App, { target })
