/** Lesson plans of three lessons, 45 minutes each. */
import type { Plan } from './plan'

export const lessons: readonly Plan[] = [
  {
    slug: 'control',
    title: 'Reinforcement learning: balancing a pole',
    prior: 'Mean and probability. No programming.',
    goals: [
      'Explain state, action, reward, episode, return and policy with CartPole as the example.',
      'Read a learning curve, and state when the task counts as solved.',
      'Predict and test how a trained policy reacts to a change of the environment.',
      'Explain what the discount factor γ does.',
    ],
    reading: { label: 'Article: how it learns', href: '#/learn/control' },
    project: {
      text: 'CartPole in projector mode: the poles, the mean return and its curve. Alt+P enters and leaves projector mode, Escape leaves it.',
      links: [{ label: 'CartPole in real time', href: '#/cartpole?speed=50&projector=1' }],
    },
    phases: [
      {
        minutes: 7,
        title: 'The task',
        text: 'Project CartPole before training. Collect: what does the cart know, what can it do, when does an episode end? Step 1 of the guide evaluates the untrained policy.',
        links: [{ label: 'Guide 1: the task', href: '#/cartpole?speed=50&guide=1&projector=1' }],
      },
      {
        minutes: 8,
        title: 'Learning from rewards',
        text: 'Train in real time. The students follow the curve and describe what the poles do at a return of 20, 100 and 300. Then take a single update.',
        links: [
          { label: 'Guide 2: rewards', href: '#/cartpole?speed=50&guide=2&projector=1' },
          { label: 'Guide 3: an update', href: '#/cartpole?speed=50&guide=3&projector=1' },
        ],
      },
      {
        minutes: 5,
        title: 'Solved',
        text: 'Train at full speed until the mean return reaches 475. Then end the guide with Esc: the panel at the end of the run states steps and time. Write both on the board.',
        links: [{ label: 'Guide 4: full speed', href: '#/cartpole?speed=max&guide=4&projector=1' }],
      },
      {
        minutes: 12,
        title: 'Experiments in pairs',
        text: 'Each pair opens one link, writes down a prediction, trains until the task is solved or two minutes have passed, and notes steps and mean return.',
        links: [
          { label: 'Moon gravity', href: '#/cartpole?preset=moon&speed=max' },
          { label: 'Short pole', href: '#/cartpole?preset=short-pole&speed=max' },
          { label: 'Heavy pole', href: '#/cartpole?preset=heavy-pole&speed=max' },
          { label: 'Eight hidden units', href: '#/cartpole?preset=tiny-network&speed=max' },
        ],
      },
      {
        minutes: 8,
        title: 'Testing a policy',
        text: 'Switch learning off and double gravity. Predict, then evaluate. Students push the cart with the pointer, or with the keys A and D.',
        links: [{ label: 'Guide 6: double gravity', href: '#/cartpole?guide=6' }],
      },
      {
        minutes: 5,
        title: 'Planning ahead',
        text: 'Compare with a discount factor of 0.8. Collect the answers to the questions below.',
        links: [
          { label: 'Short-sighted agent', href: '#/cartpole?preset=short-sighted&speed=max&projector=1' },
        ],
      },
    ],
    questions: [
      {
        question: 'Does the program know which push is correct?',
        answer:
          'No. It receives a reward of 1 for each step. Pushes that led to a higher return than expected become more probable.',
      },
      {
        question: 'Why is 500 the highest return?',
        answer:
          'An episode ends after 500 steps at the latest, that is 10 seconds, and each step has reward 1.',
      },
      {
        question: 'Why does the curve not rise smoothly?',
        answer:
          'Actions and initial states are random, and an update can also make the policy worse. The curve is the mean of the last 100 training episodes.',
      },
      {
        question: 'Why does the agent with γ = 0.8 let the cart leave the track?',
        answer:
          'With γ = 0.8 it optimizes about the next five steps. The end of the track is further away, so that drifting costs nothing within this horizon.',
      },
      {
        question: 'Where in the real world would trial and error be a problem?',
        answer:
          'Where a failed trial is expensive or dangerous, such as in traffic or medicine. The task is learned here in a simulation with more than 100,000 steps.',
      },
    ],
  },
  {
    slug: 'games',
    title: 'How AlphaZero searches',
    prior: 'The rules of Connect Four. Helpful: a game tree, for example of tic-tac-toe.',
    goals: [
      'Name the two outputs of the network: policy and value.',
      'Explain how tree search uses both, and what a simulation and a visit count are.',
      'Explain why search and self-play improve each other.',
      'Explain why playing strength is measured against fixed opponents.',
    ],
    reading: { label: 'Article: how it learns', href: '#/learn/games' },
    project: {
      text: 'Connect Four in projector mode: the board, the probabilities, the plays with their visits, and the results against fixed opponents.',
      links: [{ label: 'Connect Four', href: '#/connect-four?projector=1' }],
    },
    phases: [
      {
        minutes: 6,
        title: 'Play first',
        text: 'Start training at full speed, and let a student play against the newest network, early in its training. Meanwhile it plays against itself.',
        links: [{ label: 'Connect Four at full speed', href: '#/connect-four?speed=max&projector=1' }],
      },
      {
        minutes: 8,
        title: 'Policy and value',
        text: 'A network without search names a move and a result at a glance. Compare with the opinion of the class. Step 1 of the guide searches the position.',
        links: [{ label: 'Guide 1: network and search', href: '#/connect-four?guide=1&projector=1' }],
      },
      {
        minutes: 10,
        title: 'The search tree',
        text: 'Open the tree on the full page. A line is a move, its width grows with the visits. The students follow the principal variation and find a move that was hardly visited.',
        links: [
          { label: 'Guide 2: the search tree', href: '#/connect-four?guide=2' },
          { label: 'Guide 3: self-play', href: '#/connect-four?guide=3' },
        ],
      },
      {
        minutes: 8,
        title: 'A loop that improves itself',
        text: 'Draw the loop on the board: network, search, better moves, targets, network. Follow the policy loss. What would happen without search?',
        links: [{ label: 'Guide 4: targets from search', href: '#/connect-four?guide=4' }],
      },
      {
        minutes: 8,
        title: 'Measuring strength',
        text: 'Read the results against random moves and minimax. Then measure the same network with and without search.',
        links: [
          { label: 'Guide 6: fixed opponents', href: '#/connect-four?guide=6' },
          { label: 'Guide 7: what search adds', href: '#/connect-four?guide=7' },
        ],
      },
      {
        minutes: 5,
        title: 'With dice',
        text: 'In backgammon the dice are nodes of the tree: 21 different rolls after each move. The pretrained network plays against the class.',
        links: [{ label: 'Backgammon', href: '#/backgammon?projector=1' }],
      },
    ],
    questions: [
      {
        question: 'Did the program learn from games of people?',
        answer: 'No. It knows the rules and plays against itself, starting with random weights.',
      },
      {
        question: 'How does a search with 100 simulations differ from minimax with 4 plies?',
        answer:
          'Minimax looks at every move to a fixed depth, here up to 7⁴ = 2,401 sequences. The search follows probable and promising moves further and hardly visits the others.',
      },
      {
        question: 'Why is a loss against itself no measure of strength?',
        answer:
          'Both players are the same network, so that each win is also a loss. Strength is visible only against opponents that do not change.',
      },
      {
        question: 'How strong does the network get within the lesson?',
        answer:
          'In our run it won 99 % against random moves after 19,000 moves of self-play, and was even with minimax of 4 plies after about 120,000 moves. In these games it does not search.',
      },
      {
        question: 'Why does the search of backgammon need chance nodes?',
        answer:
          'No player chooses the dice. The value of a roll node is the mean over the 21 rolls, weighted by their probabilities: 1/36 for a double, 2/36 for any other roll.',
      },
    ],
  },
  {
    slug: 'language',
    title: 'What a language model is',
    prior: 'Probability. Helpful: the logarithm.',
    goals: [
      'Explain that a language model computes a probability for each possible next token.',
      'Explain how text is generated by sampling, and what temperature and top-k do.',
      'Compare a transformer with counting pairs and triples of tokens.',
      'Distinguish between fluent text and correct facts.',
    ],
    reading: { label: 'Article: how it learns', href: '#/learn/language' },
    project: {
      text: 'The language model in projector mode: generated text, prompt, perplexity and the learning curve.',
      links: [{ label: 'Language model', href: '#/language?projector=1' }],
    },
    phases: [
      {
        minutes: 5,
        title: 'Guess the next word',
        text: 'Start training, so that the model has learned something in ten minutes. Meanwhile the class completes “The capital of France is …” and “Yesterday I …”: where do all agree, where not?',
        links: [{ label: 'Start training', href: '#/language?speed=max&projector=1' }],
      },
      {
        minutes: 8,
        title: 'Tokens and probabilities',
        text: 'Generate text and select a token: the list shows the alternatives with their probabilities.',
        links: [{ label: 'Guide 1: the next token', href: '#/language?guide=1' }],
      },
      {
        minutes: 8,
        title: 'The loss',
        text: 'Before training the loss is about 6.93, as for a choice among 1,024 equal tokens. Read the curve, and play the samples from the first to the newest.',
        links: [
          { label: 'Guide 2: the loss', href: '#/language?guide=2' },
          { label: 'Guide 3: better than counting', href: '#/language?guide=3' },
        ],
      },
      {
        minutes: 8,
        title: 'Temperature',
        text: 'The students write three prompts, each at temperature 0.1, 0.8 and 1.8, and describe the difference.',
        links: [
          { label: 'Guide 4: low temperature', href: '#/language?guide=4' },
          { label: 'Guide 5: high temperature', href: '#/language?guide=5' },
        ],
      },
      {
        minutes: 8,
        title: 'Attention',
        text: 'Which earlier tokens does a token use? Compare two heads, and find one that attends to the previous token.',
        links: [{ label: 'Guide 6: attention', href: '#/language?guide=6' }],
      },
      {
        minutes: 8,
        title: 'Form and facts',
        text: 'The quiz asks for facts of the training text. Compare its result with the quality of the sentences, and discuss what this means for larger models.',
        links: [{ label: 'Guide 7: facts', href: '#/language?guide=7' }],
      },
    ],
    questions: [
      {
        question: 'Where is the text stored in the model?',
        answer:
          'It is not stored as text. Training changes the weights so that the next token of the training text gets a higher probability.',
      },
      {
        question: 'Why is log 1,024 ≈ 6.93 the loss before training?',
        answer:
          'All 1,024 tokens are about equally probable, 1/1,024 each. The loss is the mean of −log p, here log 1,024.',
      },
      {
        question: 'What does counting reach?',
        answer:
          'On the built-in text a model that only counts pairs of tokens has a held-out loss of 2.52, and one that counts triples 1.33. The text is generated from patterns, so that triples predict it well.',
      },
      {
        question: 'Why does text at temperature 0.1 repeat itself?',
        answer:
          'The most probable token is taken nearly always, so that the same context leads to the same continuation.',
      },
      {
        question: 'The sentences are correct English, but the facts are wrong. Why?',
        answer:
          'Both come from the same training. Sentence patterns occur thousands of times, a single fact only a few times, so that it is learned later or never. Guessing gives 25 % in the quiz.',
      },
    ],
  },
]
