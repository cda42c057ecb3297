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
}
