"""A short source in each language."""

from __future__ import annotations

SOURCES = {
    "python": """
from collections import Counter

LIMITS = {
    "day": 24,
    "hour": 60,
}


def late(orders):
    return [order for order in orders if order.due < order.sent]


class Desk:
    def __init__(self, name):
        self.name = name
""",
    "javascript": """
const fs = require('fs');

function late(orders) {
  return orders.filter((order) => order.due < order.sent);
}

module.exports = { late };
""",
    "typescript": """
import { Order } from './order';

export interface Desk {
  name: string;
  orders?: Order[];
}

export function late(orders: Order[]): Order[] {
  return orders.filter((order) => order.due < order.sent);
}
""",
    "objectivec": """
#import "Desk.h"

@interface Desk ()
@property (nonatomic, strong) NSArray *orders;
@end

@implementation Desk

- (NSArray *)lateOrders:(NSDate *)now {
    return [self.orders filteredArrayUsingPredicate:nil];
}

@end
""",
    "cmake": """
#[==[.rst:
FindDesk
--------

Finds the desk, and what stands on it.
#]==]
find_path(DESK_INCLUDE_DIR desk.h)
if(NOT DESK_FOUND)
  message(FATAL_ERROR "no desk")
endif()
add_library(desk SHARED ${DESK_SOURCES})
target_link_libraries(desk PUBLIC orders)
""",
    "c": """
#include <stdio.h>
#include "order.h"

static int late(const struct order *order)
{
    return order->due < order->sent;
}

int main(void)
{
    printf("%d\\n", late(NULL));
    return 0;
}
""",
    "cpp": """
#include <vector>
#include "order.hpp"

namespace desk {

template <typename T>
std::vector<T> late(const std::vector<T>& orders) {
  std::vector<T> found;
  for (const auto& order : orders)
    if (order.due() < order.sent()) found.push_back(order);
  return found;
}

}  // namespace desk
""",
    "go": """
package desk

import "fmt"

func Late(orders []Order) ([]Order, error) {
	found := []Order{}
	for _, order := range orders {
		if err := order.Check(); err != nil {
			return nil, fmt.Errorf("late: %w", err)
		}
		found = append(found, order)
	}
	return found, nil
}
""",
    "rust": """
use std::collections::HashMap;

pub struct Desk {
    pub name: String,
    orders: HashMap<u64, Order>,
}

impl Desk {
    pub fn late(&self) -> impl Iterator<Item = &Order> {
        self.orders.values().filter(|order| order.due < order.sent)
    }
}
""",
    "shell": """
set -e

late() {
  for order in "$@"; do
    if [ "$order" -nt due ]; then
      echo "late: $order"
    fi
  done
}

late "${ORDERS:-none}"
""",
    "ruby": """
require 'set'

class Desk
  attr_reader :name

  def late(orders)
    orders.select { |order| order.due < order.sent }
  end
end
""",
    "sql": """
CREATE TABLE orders (
    id integer PRIMARY KEY,
    due timestamp NOT NULL
);

INSERT INTO orders VALUES (1, now());

SELECT id FROM orders WHERE due < now() ORDER BY due;
""",
    "dockerfile": """
FROM python:3.13-slim
WORKDIR /desk
COPY . .
RUN pip install --no-cache-dir .
ENV DESK=1
ENTRYPOINT ["desk"]
""",
    "lisp": """
;;; desk.el --- orders of a desk

(require 'cl-lib)

(defvar desk-orders nil
  "The orders of the desk.")

(defun desk-late (orders)
  "Those of ORDERS that are late."
  (let ((found (list)))
    (dolist (order orders)
      (when (< (order-due order) (order-sent order))
        (setq found (cons order found))))
    (nreverse found)))
""",
    "ocaml": """
open Order

type desk = {
  name : string;
  orders : Order.t list;
}

(* Those that are late. *)
let rec late orders =
  match orders with
  | [] -> []
  | order :: rest when order.due < order.sent -> order :: late rest
  | _ :: rest -> late rest
""",
    "erlang": """
-module(desk).
-export([late/1]).
-include("order.hrl").

%% Those that are late.
late([]) ->
    [];
late([Order | Rest]) ->
    case is_late(Order) of
        true -> [Order | late(Rest)];
        false -> late(Rest)
    end.
""",
    "fortran": """
      SUBROUTINE LATE( N, DUE, SENT, COUNT )
*     How many orders are late.
      INTEGER            N, COUNT, I
      DOUBLE PRECISION   DUE( * ), SENT( * )
      COUNT = 0
      DO 10 I = 1, N
         IF( DUE( I ).LT.SENT( I ) ) THEN
            COUNT = COUNT + 1
         END IF
   10 CONTINUE
      RETURN
      END
""",
    "vim": """
" Orders of a desk.
if exists('g:loaded_desk')
  finish
endif
let g:loaded_desk = 1

function! s:late(orders) abort
  let found = []
  for order in a:orders
    if order.due < order.sent
      call add(found, order)
    endif
  endfor
  return found
endfunction

command! -nargs=0 Late call s:late(g:orders)
""",
}
