(define (domain sliding-tile)
  (:requirements :strips :typing)
  (:types tile position)
  (:predicates
    (at ?t - tile ?p - position)
    (empty ?p - position)
    (adjacent ?p ?q - position))
  (:action move
    :parameters (?t - tile ?from ?to - position)
    :precondition (and (at ?t ?from) (empty ?to) (adjacent ?from ?to))
    :effect (and (at ?t ?to) (empty ?from) (not (at ?t ?from)) (not (empty ?to)))))
