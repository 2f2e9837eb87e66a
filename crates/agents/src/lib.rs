//! Learners: proximal policy optimisation.
