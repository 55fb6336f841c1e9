"""Plans, beliefs and policies as drawings, from what each puzzle draws of its states and actions."""
