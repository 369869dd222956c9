"""What follows from artifacts without asking a model: names, labels, proposals, DDL, OpenAPI, trace, diagrams."""
